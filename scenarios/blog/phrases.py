"""What the blog's posts, pictures and style sheet are made of."""

from __future__ import annotations

SUBJECTS = [
    "the dynamometer",
    "a borrowed test bench",
    "our smallest engine",
    "the night shift",
    "a worn belt",
    "the second gearbox",
    "the torque arm",
    "a café owner from Besançon",
    "the apprentice",
    "an old chart recorder",
    "the water brake",
    "the workshop's only clock",
    "a rider from Århus",
    "the flywheel",
    "a nervous inspector",
]
VERBS = [
    "measures",
    "outlasts",
    "repeats",
    "doubts",
    "survives",
    "improves on",
    "explains",
    "slows down",
    "agrees with",
    "forgets",
    "redraws",
    "waits for",
    "borrows from",
    "checks",
    "contradicts",
]
OBJECTS = [
    "every curve drawn last winter",
    "the figure printed on the crate",
    "what the driver felt on the hill",
    "three pages of pencil notes",
    "the noise of an idle machine",
    "a rounding error of half a turn",
    "the best run of a long afternoon",
    "the average that hides the worst minute",
    "a promise made in März",
    "the heat of the first ten minutes",
    "a queue that nobody counted",
    "the same road in the rain",
]
CLAUSES = [
    "once the oil is warm",
    "whenever the door stands open",
    "if the load is applied slowly",
    "long after the others have gone home",
    "as the manual of 1931 suggests",
    "without a second opinion",
    "provided that somebody writes it down",
    "until the needle comes to rest",
    "on a day with no wind",
    "while the kettle boils in the corner",
    "because the belt had been changed",
    "before the numbers are compared",
]
FRAMES = [
    "{Clause}, {subject} {verb} {object}.",
    "{Subject} {verb} {object} {clause}.",
    "{Subject} {verb} {object}, and {subject2} {verb2} {object2}.",
    "It is said that {subject} {verb} {object} {clause}.",
    "Nobody asked why {subject} {verb} {object}.",
    "{Clause}, nothing is certain except that {subject} {verb} {object}.",
    "{Subject} {verb} {object}; the reading was {number} N·m at {number2} turns a minute.",
]
# One of these ends the first paragraph of every post. All of them change when left unescaped.
PROOFS = [
    "On the label somebody wrote <b>heavy</b> & underlined it twice.",
    'The note read "if p50 < p99 & p99 < max, then carry on", and it wasn\'t signed.',
    'A sign on the door says &lt;quiet&gt; to browsers and "quiet" to everyone else.',
    "Smith & Sons don't sell a brake <script>for less than 40 €</script>, they say.",
    "The form's first field was AT&amp;T, typed exactly so by a program that couldn't stop.",
]

# The title of a picture, the sun, the number of hills: alt texts say what is drawn.
SCENES = [
    ("Morning at the ford", "red", 2),
    ('"Low tide"', "yellow", 3),
    ("Salt & pepper hills", "white", 4),
    ("The miller's view", "orange", 3),
    ("Two < three", "red", 2),
    ("Près du lac", "yellow", 4),
    ("North ridge", "white", 5),
    ("Über den Wolken", "orange", 2),
    ("The long way home", "red", 4),
    ("Fog & frost", "white", 3),
    ('The painter\'s "blue" hour', "yellow", 5),
    ("A quiet pass", "orange", 4),
    ("Señal", "red", 5),
    ("Before the rain", "white", 2),
    ("Noon > midnight", "yellow", 2),
    ("The shepherd's mile", "orange", 5),
    ("Kvällsljus", "red", 3),
    ("East of the quarry", "white", 4),
    ('"Do not enter"', "yellow", 4),
    ("Bread & water", "orange", 3),
    ("Last bus", "red", 2),
    ("The surveyor's line", "white", 3),
    ("Zażółć", "yellow", 5),
    ("Half past six", "orange", 2),
    ("海 (the sea)", "red", 4),
]
SUNS = {
    "red": (214, 69, 65),
    "yellow": (246, 211, 88),
    "white": (244, 244, 240),
    "orange": (236, 140, 60),
}
COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}

STYLE = """\
:root {
  color-scheme: light dark;
  --ink: #1d2330; --paper: #fbfaf7; --line: #d9d4c7; --accent: #9a3b2e;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #16181d; --line: #343842; --accent: #e08a74; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 1.05rem/1.6 Georgia, serif; }
.site-header, .site-footer, main { max-width: 44rem; margin: 0 auto; padding: 1.5rem; }
.site-header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; }
.site-header h1 { margin: 0; font-size: 1.6rem; letter-spacing: -0.01em; }
.site-header nav a { margin-left: 1rem; color: var(--accent); text-decoration: none; }
.site-header nav a:hover { text-decoration: underline; }
.post { padding: 2rem 0; border-top: 1px solid var(--line); }
.post h2 { margin: 0 0 1rem; font-size: 1.3rem; }
.post img { display: block; width: 100%; max-width: 20rem; height: auto; border-radius: 4px; }
.post p { margin: 1rem 0 0; hyphens: auto; }
.site-footer { border-top: 1px solid var(--line); font-size: 0.85rem; opacity: 0.75; }
"""
