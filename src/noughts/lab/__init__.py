"""The laboratory: the sources' experiments redone, and one report generator.

scenarios  methods        what is measured: boards, with what a source printed of them, and ways to judge them
judge                     is a method right? asked before it is timed
measure  stats  machine   how: time, memory, statistics, and where
bench  growth  stars      the two experiments, as data
findings  words           what the data say, in sentences made from them
page  plots               a bench as a page with figures
report                    text, tables and figures -> one HTML page, for any command
papers/                   every claim of the five sources beside the truth
"""
