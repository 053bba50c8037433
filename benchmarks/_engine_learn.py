"""Makes a network from rows of games: python benchmarks/_engine_learn.py ROWS.npz --to NETWORK [--epochs 40]

Needs PyTorch, and uses a GPU if there is one: a minute for a million rows. `_engine_games.py` makes the rows, and
plays the network against that of the package; src/noughts/engine/network.py says what the numbers mean.

Of each row the network is to foretell the chance: that of the search, and to a smaller part how the game ended. Of
every tenth game it learns nothing, and says how much its rows surprise it. The urgency of a kind is learned beside
it: that of the best move, among those of all cells of the row. A kind is the sum of its two pairs and of something of
its own, which is held near nothing where rows are few.
"""

from __future__ import annotations

import argparse
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from noughts.engine.evaluation import SCALE
from noughts.engine.network import FINE, HIDDEN, ONE, WIDTH
from noughts.engine.shapes import PAIRS, pair

KINDS = PAIRS * PAIRS
EMPTY = pair((2, 2, 2, 2)) * (PAIRS + 1)  # must count nothing, as the kind 0
URGENCY = 400  # of a unit of log-odds
BATCH = 4096
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Learner(nn.Module):
    """The network with real numbers."""

    def __init__(self) -> None:
        """Begin with numbers of chance."""
        super().__init__()
        self.own, self.other = (nn.Parameter(torch.randn(PAIRS, WIDTH) * 0.03) for _ in range(2))
        self.joint = nn.Parameter(torch.zeros(KINDS, WIDTH))
        self.inner, self.outer = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, 1)
        self.urgent_own, self.urgent_other = (nn.Parameter(torch.zeros(PAIRS)) for _ in range(2))
        self.urgent_joint = nn.Parameter(torch.zeros(KINDS))
        nn.init.constant_(self.inner.bias, 0.3)
        counts = torch.ones(KINDS)
        counts[[0, EMPTY]] = 0
        self.register_buffer("counting", counts)

    def rows(self) -> Tensor:
        """The row of each kind."""
        return (self.own[:, None] + self.other[None]).view(KINDS, WIDTH).add(self.joint) * self.counting[:, None]

    def urgency(self) -> Tensor:
        """How early a move on each kind is tried."""
        return (self.urgent_own[:, None] + self.urgent_other[None]).view(KINDS) + self.urgent_joint

    def forward(self, counts: Tensor) -> Tensor:
        """The scores of positions by how many cells of each kind they have."""
        sums = counts @ self.rows()
        felt = self.inner(sums.clamp(0, 1)).clamp(0, 1)
        return sums[:, 0] + self.outer(felt)[:, 0]

    def packed(self) -> bytes:
        """The numbers as network.py reads them."""

        def whole(numbers: Tensor, scale: int) -> bytes:
            return words(np.rint(numbers.detach().cpu().numpy() * scale))

        def wide(numbers: Tensor) -> bytes:
            return np.rint(numbers.detach().cpu().numpy() * ONE * FINE).astype("<i4").tobytes()

        urgency = self.urgency()
        places = torch.cat([self.rows() * ONE, (urgency - urgency[EMPTY])[:, None] * URGENCY], 1)
        return b"".join(
            (
                *(halves(place) for place in np.rint(places.detach().cpu().numpy()).T), whole(self.inner.weight, FINE),
                wide(self.inner.bias), whole(self.outer.weight, FINE), wide(self.outer.bias),
            )
        )  # fmt: skip


def words(numbers: np.ndarray) -> bytes:
    """Words of 16 bits."""
    return numbers.clip(-32767, 32767).astype("<i2").tobytes()


def halves(place: np.ndarray) -> bytes:
    """One number of each kind as its two halves and what is left."""
    square = place.reshape(PAIRS, PAIRS)
    own = np.rint(np.median(square, 1))
    other = np.rint(np.median(square - own[:, None], 0))
    return words(np.concatenate([own, other, (square - own[:, None] - other).ravel()]))


def table(kinds: np.ndarray, counts: np.ndarray) -> Tensor:
    """How many cells of each kind each row has."""
    found = torch.zeros(len(counts), KINDS, dtype=torch.uint8, device=DEVICE)
    row = np.repeat(np.arange(len(counts)), counts)
    for first in range(0, len(kinds), 1 << 24):
        part = slice(first, first + (1 << 24))
        place = torch.from_numpy(row[part] * KINDS + kinds[part]).to(DEVICE)
        found.view(-1).scatter_add_(0, place, torch.ones_like(place, dtype=torch.uint8))
    return found


def learn(data: dict[str, np.ndarray], epochs: int, ends: float, speed: float) -> Learner:
    """Learn, and tell of it; `ends` is the part of how the games ended."""
    start = np.concatenate([[0], np.cumsum(data["counts"])[:-1]])
    counts = table(data["kinds"].astype(np.int64), data["counts"])
    found = np.where(data["best"] >= 0, data["kinds"][start + np.maximum(data["best"], 0)], 0)
    best, score, end = (
        torch.from_numpy(each.astype(kind)).to(DEVICE)
        for each, kind in ((found, np.int64), (data["score"], np.float32), (data["end"], np.float32))
    )
    wanted = (1 - ends) * torch.sigmoid(score / SCALE) + ends * (end + 1) / 2
    seen = torch.from_numpy(data["game"] % 10 > 0).to(DEVICE)
    ours, rest = torch.where(seen)[0], torch.where(~seen)[0]
    net = Learner().to(DEVICE)
    joint = [net.joint, net.urgent_joint]
    others = [each for each in net.parameters() if all(each is not one for one in joint)]
    groups = [{"params": others, "weight_decay": 0.0}, {"params": joint, "weight_decay": 1.0}]
    steps = epochs * (len(ours) // BATCH)
    optimizer = torch.optim.AdamW(groups, lr=speed)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, [speed, speed], total_steps=steps + 1, pct_start=0.1)

    def surprise(chosen: Tensor) -> tuple[Tensor, Tensor]:
        some = counts[chosen].float()
        urgency = net.urgency()
        among = torch.logsumexp(urgency + torch.log(some.clamp(min=1e-9)), 1)
        known = best[chosen] > 0
        return (
            functional.binary_cross_entropy_with_logits(net(some), wanted[chosen]),
            (among - urgency[best[chosen]])[known].mean(),
        )

    for epoch in range(epochs):
        for chosen in ours[torch.randperm(len(ours), device=DEVICE)].split(BATCH)[:-1]:
            value, move = surprise(chosen)
            optimizer.zero_grad()
            (value + 0.2 * move).backward()
            optimizer.step()
            pace.step()
        if epoch % 10 == 9 or epoch == epochs - 1:
            with torch.no_grad():
                told = [torch.stack(surprise(chosen)) for chosen in rest.split(16 * BATCH)]
                least = functional.binary_cross_entropy(wanted[rest], wanted[rest])
            value, move = torch.stack(told).mean(0).tolist()
            print(f"epoch {epoch + 1}: surprise {value:.4f}, at least {least:.4f}; moves {move:.4f}", flush=True)
    return net


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Makes a network from rows of games.")
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, default=Path("network.bin"))
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--ends", type=float, default=0.25, help="the part of how the games ended")
    parser.add_argument("--speed", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    parts = [dict(np.load(each)) for each in given.rows]
    data = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    print(f"{len(data['counts']):,} rows, on {DEVICE}")
    network = zlib.compress(learn(data, given.epochs, given.ends, given.speed).packed(), 9)
    given.to.write_bytes(network)
    print(f"{given.to}: {len(network):,} bytes")


if __name__ == "__main__":
    main()
