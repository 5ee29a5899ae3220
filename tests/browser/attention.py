"""What the program says of a text, as the page that is looked at and as the JSON to hold it against;
and the same things computed once more, plainly, from that JSON."""

import base64
import gzip
import json
import math
import re
import subprocess


class Attention:
    """The page and the JSON of one command line. Either all layers of the model have a residual or none."""

    def __init__(self, program, path, *arguments, residual=True):
        command = [program, "attention", "-q", *arguments, "--format"]
        subprocess.run([*command, "html", "-o", path, "--force"], check=True)
        self.path = path
        self.residual = residual
        self.json = json.loads(subprocess.run([*command, "json"], check=True, capture_output=True).stdout)
        with open(path, encoding="utf-8") as file:
            self.html = file.read()
        self.heads = self.json["attention"]
        self.size = len(self.json["tokens"])

    def block(self, name):
        found = re.search(f'<script type="application/json" id="{name}">(.*?)</script>', self.html, re.DOTALL)
        return json.loads(found.group(1))

    def mean(self, layer):
        heads = self.heads[layer]
        return [[sum(head[i][j] for head in heads) / len(heads) for j in range(self.size)] for i in range(self.size)]

    def rollout(self, layer):
        """Abnar and Zuidema 2020, section 3."""
        result = None
        for number in range(layer + 1):
            mean = self.mean(number)
            if self.residual:
                mean = [[(weight + (i == j)) / 2 for j, weight in enumerate(row)] for i, row in enumerate(mean)]
            result = mean if result is None else product(mean, result)
        return result

    def entropy(self, layer, head):
        rows = self.heads[layer][head]
        return sum(-weight * math.log(weight) for row in rows for weight in row if weight > 0) / self.size


def unpacked(block, steps):
    """Weights of a matrix as the page holds them."""
    data = gzip.decompress(base64.b64decode(block))
    half = len(data) // 2
    return [(data[i] + 256 * data[half + i]) / steps for i in range(half)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def merged(matrix, words):
    """Weights summed over the pieces of a key, averaged over those of a query; a word is the list of its
    tokens."""
    return [[sum(matrix[i][k] for i in query for k in key) / len(query) for key in words] for query in words]
