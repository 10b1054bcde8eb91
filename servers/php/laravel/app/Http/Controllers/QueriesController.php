<?php

namespace App\Http\Controllers;

use App\Models\Queries\World;
use Illuminate\Http\Request;
use Illuminate\Support\Collection;

class QueriesController extends Controller
{
    public function __invoke(Request $request): Collection
    {
        return Collection::times($this->wantedRows($request), function (): array {
            $world = World::findOrFail(mt_rand(1, World::ROWS));

            return ['id' => $world->id, 'randomNumber' => $world->randomnumber];
        });
    }
}
