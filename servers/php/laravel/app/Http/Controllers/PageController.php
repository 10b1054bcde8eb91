<?php

namespace App\Http\Controllers;

use App\Models\Page\Article;
use Illuminate\Contracts\View\View;

class PageController extends Controller
{
    public function __invoke(): View
    {
        return view('page', ['articles' => Article::orderBy('number')->get()]);
    }
}
