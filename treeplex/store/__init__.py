"""Files: strategies in their formats, figures, text and arrays written whole."""
