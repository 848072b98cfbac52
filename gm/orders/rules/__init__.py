"""Rules shared by checker, receipt, web and adjudicator: movement, stacking, targets, odds, reasons."""
