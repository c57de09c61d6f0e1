"""Draws the time of keys, a start and a search against the number of contacts."""

import os

LINES = {
    "first screen": "first screen",
    "j": "j",
    "search key, the list alone": "search key",
    "query smith": "query smith",
    "save": "save",
}
PROGRAMS = {
    "addressbook": ("addressbook", "-o"), "abook": ("abook", "--s"), "fzf": ("fzf", ":v"),
    "khard": ("khard", ":D"), "gnome": ("GNOME’s library", ":^"),
}


def draw(figures, path):
    """figures: for each number of contacts and each name, the milliseconds of each program that was measured."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "addressbook"
    figure, axes = pyplot.subplots(figsize=(8, 5))
    sizes = sorted(figures)
    for color, (name, label) in enumerate(LINES.items()):
        for program, (title, style) in PROGRAMS.items():
            times = [(size, figures[size].get(name, {}).get(program)) for size in sizes]
            points = [(size, time) for size, time in times if time]
            if points:
                axes.plot(*zip(*points), style, color=f"C{color}", markersize=4, label=f"{label}, {title}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("contacts")
    axes.set_ylabel("milliseconds")
    axes.axhline(1000 / 60, color="gray", linewidth=0.5)
    axes.annotate("a frame at 60 Hz", (sizes[0], 1000 / 60), fontsize=8, va="bottom", color="gray")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=3)
    figure.tight_layout()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
