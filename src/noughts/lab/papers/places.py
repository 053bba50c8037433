"""Where in its source a claim stands: the section as the source calls it, and the table, figure or listing.

One line is one place; after it come the claims that stand there, without the name of the source (a star stands for
any letters). A figure that the source
only calls a figure is one here, too, though it may show a table.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

PLACES = {
    "prajoda": {
        "Abstract; section III.B, Figures 3.3 and 3.4": "misjudged corrected_masks",
        "section II.B.2, Table 2.1": "axioms",
        "section II.B.3, Table 2.2": "law_*",
        "section II.B.4": "function_*",
        "section II.B.5, Figure 2.4": "nand_universal nor_universal",
        "section II.C": "patterns",
        "section II.C, Figure 2.6": "first_moves sequences",
        "section III.A, Figure 3.1": "traditional",
        "section III.B, Figure 3.3": "row_1_mask row_3_mask",
        "section III.B, Figure 3.4": "rows_most_common",
        "section IV.A, Figure 4.1": "*_row_time variation",
        "section IV.A, Figure 4.2": "improvement_* range_* shape",
        "section IV.B": "conversion",
        "section IV.C, Figure 4.2": "memory_simple memory_grows memory_stable",
        "section V": "faster_in_most_cases memory_superior",
    },
    "gordon": {
        "Introduction": "eight_possibilities possibilities",
        "Algorithm overview, Figure 1": "magic_square sets_summing_to_15",
        "The specifics": "pairs_range pairs_off_lines",
        "Testing for a win": "win_lookup block_lookup detector",
        "Significance": "sets_summing_to_34 forced_4x4_sets larger_boards rank_5x5 magic_25",
        "Sample program": "pairs_used order random_games",
    },
    "lastmove": {
        "Problem Background and Challenges": "exponential",
        "Algorithm Optimization Approach": "insight",
        "Core Algorithm Implementation": "exact_for_full_lines lines_k_equals_n printed_moves comments",
        "Algorithm Complexity Analysis": "quadratic line_formula four_paths",
        "Scalability and Generality": "simple_change any_k",
        "Comparison with Other Methods": "single_loop single_loop_full magic_limited",
        "Practical Implementation Recommendations": "draw_by_count",
    },
    "gamescrafters": {
        "Game Overview, page 3": "non_partisan non_loopy",
        "Game Overview, page 4, Figure 4": "ties_possible",
        "Design Overview, page 4": "games_magnitude unique_magnitude",
        "Design Overview, page 5": "rotation_table flip_table symmetries",
        "Data Structures, page 5": "example_code",
        "C Game Checklist and Complexity Analysis, page 6": "misere",
        "Complexity Analysis, page 6": "codes reachable impossible canonical* unused_codes undecided positions_* games "
        "games_x games_o games_draw final_* games_up_to_symmetry games_through_classes solved",
        "Optimal Strategy, page 7": "strategy_*",
    },
    "minimax": {
        "section 2": "lines",
        "section 2, on the board of section 1": "start_evaluation",
        "section 3.1, Listing 2": "listing",
        "section 5.1, its table": "moves",
        "section 5.2, its table": "values nodes_per_move nodes best",
        "section 5.3, its table": "alphabeta_* carried_*",
        "sections 5.3 and 6.1": "centre",
        "section 6.1": "centre_lines corner_evaluation",
        "section 6.2": "centre_evaluation breakdown bottom_row",
        "section 7": "bounds reduction",
        "section 8, item 4": "ordering",
        "section 9": "agree",
    },
}


def place_of(claim: str) -> str:
    """Where the claim of this name stands in its source; one that is not entered has none.

    >>> place_of("prajoda.law_9ii"), place_of("minimax.nodes")
    ('section II.B.3, Table 2.2, law 9(ii)', 'section 5.2, its table')
    """
    source, _, name = claim.partition(".")
    for place, names in PLACES[source].items():
        if any(fnmatchcase(name, each) for each in names.split()):
            number = name.removeprefix("law_")
            return place if number == name else f"{place}, law {number.rstrip('iv')}({number.lstrip('0123456789')})"
    return ""
