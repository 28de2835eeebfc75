"""What commands print and engines compute, kept in a file and compared later, number by number."""
