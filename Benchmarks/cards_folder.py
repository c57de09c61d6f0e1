"""A folder with a file for each card, as vdirsyncer and khard keep them."""

import os


def write(cards, folder):
    """Writes the bytes of many cards into a new folder; returns the names of the files."""
    os.makedirs(folder)
    for number, card in enumerate(cards.split(b"BEGIN:VCARD")[1:]):
        with open(os.path.join(folder, f"{number}.vcf"), "wb") as file:
            file.write(b"BEGIN:VCARD" + card)
    return sorted(os.listdir(folder))
