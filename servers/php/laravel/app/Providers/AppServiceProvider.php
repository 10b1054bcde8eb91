<?php

namespace App\Providers;

use App\Session\TableSessionHandler;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Foundation\Http\Middleware\TrimStrings;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Session;
use Illuminate\Support\ServiceProvider;

class AppServiceProvider extends ServiceProvider
{
    public function boot(): void
    {
        Session::extend(
            'table',
            fn (Application $app) => new TableSessionHandler($app->make('db')->connection()),
        );
        // What the query says counts as it is: " 5" is no number, and a text keeps its spaces.
        TrimStrings::skipWhen(fn (Request $request): bool => $request->query->count() > 0);
    }
}
