<?php

namespace App\Providers;

use App\Session\TableSessionHandler;
use Illuminate\Contracts\Foundation\Application;
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
    }
}
