"""Mail in, mail out: what players send becomes orders, letters and questions; what the campaign says becomes mail."""
