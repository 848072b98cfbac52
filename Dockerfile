# Kolokol, for production: slim, without build tools, not as root. `docker compose up` uses it; see docs/operations.md.
FROM python:3.13-slim AS build
RUN python -m venv /opt/kolokol
COPY constraints/run.txt /tmp/run.txt
RUN /opt/kolokol/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --requirement /tmp/run.txt

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Kolokol" \
      org.opencontainers.image.description="A Gamesmaster for postal Russian Civil War" \
      org.opencontainers.image.licenses="MIT"
RUN useradd --system --uid 1918 --create-home --home-dir /var/lib/kolokol kolokol
COPY --from=build /opt/kolokol /opt/kolokol
COPY gm /app/gm
COPY templates /app/templates
COPY migrations /app/migrations
ENV PATH=/opt/kolokol/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    KOLOKOL_LISTEN=0.0.0.0:8000 \
    KOLOKOL_LOG_FORMAT=json
RUN printf '#!/bin/sh\nexec python -m gm "$@"\n' > /usr/local/bin/gm && chmod 755 /usr/local/bin/gm
USER kolokol
WORKDIR /var/lib/kolokol
VOLUME /var/lib/kolokol
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["gm"]
CMD ["serve"]
