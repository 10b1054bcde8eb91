<?php

namespace App\Http\Controllers;

use App\Blog\Library;
use Illuminate\Contracts\View\View;

class BlogController extends Controller
{
    public function __invoke(Library $library): View
    {
        return view('blog', ['entries' => $library->drawPage()]);
    }
}
