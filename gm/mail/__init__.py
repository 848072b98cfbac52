"""Receiving and sending mail: parsing players' mail into orders, letters and questions; composing and sending."""
