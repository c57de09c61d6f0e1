"""The limits (“bars”) that the program must meet in a run."""


class Bars:
    def __init__(self):
        self.bars = []

    def check(self, name, value, limit, unit="ms"):
        self.bars.append((name, value, limit, unit))

    def check_worst(self, name, cases, unit="ms"):
        """One bar for several cases, each with a value and a limit: the case that is nearest to its limit, or furthest
        beyond it, is named and decides."""
        case, (value, limit) = max(cases.items(), key=lambda item: item[1][0] / item[1][1])
        self.check(f"{name} ({case})", value, limit, unit)

    def show(self):
        missed = sum(value > limit for _, value, limit, _ in self.bars)
        print(f"\n{len(self.bars)} bars, {missed} missed")
        for name, value, limit, unit in self.bars:
            result = "MISSED" if value > limit else "met"
            print(f"  {result:6}  {name:74} {value:9.2f} of {limit:.2f} {unit} ({value / limit:.2f} x)")
