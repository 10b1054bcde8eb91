<?php

declare(strict_types=1);

/** A text as HTML that shows it. */
function escape(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5);
}
