<?php

namespace App\Http\Controllers;

use App\Models\Article;
use Illuminate\Contracts\View\View;

class PageController
{
    public function __invoke(): View
    {
        return view('page', ['articles' => Article::orderBy('number')->get()]);
    }
}
