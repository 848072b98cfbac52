"""The lifecycle of a Phase: opening, intake of orders, sealing, adjudication, publishing, rollback."""
