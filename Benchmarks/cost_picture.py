"""Draws the time of a key and of a start against the number of contacts."""

import os

LINES = {
    "first screen": "first screen",
    "j": "j",
    "search key, the list alone": "key of a search, the list alone",
    "save": "save",
}


def draw(figures, path):
    """figures: for each number of contacts and each name, the milliseconds of addressbook and of abook (or None)."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "addressbook"
    figure, axes = pyplot.subplots(figsize=(8, 5))
    sizes = sorted(figures)
    for color, (name, label) in enumerate(LINES.items()):
        for who, style in enumerate(["-o", "--s"]):
            points = [(size, figures[size][name][who]) for size in sizes if figures[size].get(name, (None, None))[who]]
            if not points:
                continue
            axes.plot(*zip(*points), style, color=f"C{color}", markersize=4,
                      label=f"{label}, {'addressbook' if who == 0 else 'abook'}")
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
