"""What may be written: the screen, one check a file. Pure: texts in, findings out."""
