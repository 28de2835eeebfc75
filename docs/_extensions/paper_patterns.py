"""Expressions that find papers in a text by authors and year, such as Lanctot et al. 2009."""

import re
import unicodedata

from pybtex.database import Entry, Person


def names_of(person: Person) -> str:
    """Return the expression of a last name, with its accents or without."""
    name = " ".join(person.prelast_names + person.last_names)
    plain = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    return f"(?:{re.escape(name)}|{re.escape(plain)})"


def pattern_of(entry: Entry) -> str:
    """Return the expression that finds a paper in a text: names, perhaps a title, and the year."""
    first, *others = [names_of(person) for person in entry.persons["author"]]
    forms = [
        f"{first} et al\\.",
        f"{first} and others",
        " and ".join([", ".join([first, *others[:-1]]), *others[-1:]]),
    ]
    year = rf"\(?{entry.fields['year']}(?:(?<=\(\d{{4}})\))?"
    return rf"(?:{'|'.join(forms)})(?:, [^;.()]{{4,110}}?)?,? {year}".replace("\\ ", " ").replace(" ", r"\s")
