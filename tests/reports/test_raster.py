"""Pictures are drawn in whatever thread asks for one: a web server has many."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from gm.reports.render.raster import render_png

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><text x="2" y="8">A</text></svg>'


def test_every_thread_draws_the_same_picture() -> None:
    here = render_png(SVG, 40)
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        assert one.submit(render_png, SVG, 40).result() == other.submit(render_png, SVG, 40).result() == here
