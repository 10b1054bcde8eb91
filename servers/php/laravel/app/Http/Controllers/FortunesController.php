<?php

namespace App\Http\Controllers;

use App\Models\Fortunes\Fortune;
use Illuminate\Contracts\View\View;
use Illuminate\Http\Request;

class FortunesController extends Controller
{
    public function __invoke(Request $request): View
    {
        $added = $request->query('added');
        abort_unless(is_string($added) && $added !== '', 400, 'added must be a text');
        $fortunes = Fortune::all()->push((new Fortune())->forceFill(['id' => 0, 'message' => $added]));

        // As texts: by default two that look like numbers would be compared as such.
        return view('fortunes', ['fortunes' => $fortunes->sortBy('message', SORT_STRING)]);
    }
}
