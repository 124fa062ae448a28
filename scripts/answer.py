"""What `bristle identify --json` says about a log, for scripts that judge it."""
import json
import re


class Answer:
    def __init__(self, code, out, errors):
        self.code = code
        try:
            self.json = json.loads(out)
        except ValueError:
            self.json = None
        self.best = self.json["results"][0] if self.json and self.json["results"] else None
        words = [errors]
        if self.json:
            words += [self.json["doubt"] or ""] + (self.json.get("campaign") or {}).get("notes", [])
            for log in self.json["data"]:
                words += log["notes"]
            if self.best:
                words += self.best["verdict"] + [p["reason"] for p in self.best["parameters"]]
        self.text = " ".join(words)

    def says(self, pattern):
        return re.search(pattern, self.text, re.IGNORECASE) is not None

    def doubts(self, pattern):
        """Withheld, with the reason."""
        return self.code != 0 and self.says(pattern)

    def get(self, name):
        """(value, deviation, determined), or None"""
        for p in self.best["parameters"] if self.best else []:
            if p["name"] == name:
                return p["value"], p["std"], p["free"] and not p["reason"] and p["std"] is not None
        return None

    def near(self, name, truth, part):
        found = self.get(name)
        return found is not None and found[2] and abs(found[0] - truth) <= part * abs(truth)

    def honest(self, name, truth, part=0.05):
        """Within a part of the truth or three deviations, or called undetermined."""
        found = self.get(name)
        if found is None or not found[2]:
            return True
        return abs(found[0] - truth) <= max(part * abs(truth), 3 * found[1])

    def stiff(self):
        """A stiffness is called determined."""
        return any((p["name"] == "sigma0" or p["name"].startswith("k[")) and p["free"] and not p["reason"]
                   for p in (self.best["parameters"] if self.best else []))

    def show(self):
        if not self.best:
            return self.text.strip()[:200]
        numbers = ", ".join("%s %.4g%s" % (p["name"], p["value"], " (not determined)" if p["reason"] else
                                           " +- %.2g" % (p["std"] or 0))
                            for p in self.best["parameters"] if p["free"])
        return "%s: %s; doubt: %s" % (self.best["variant"], numbers, (self.json["doubt"] or "none")[:160])
