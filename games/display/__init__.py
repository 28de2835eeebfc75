"""Results as texts and tables: for print, for terminals of any width, for notebooks."""
