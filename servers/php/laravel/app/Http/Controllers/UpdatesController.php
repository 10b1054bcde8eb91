<?php

namespace App\Http\Controllers;

use App\Models\Updates\Item;
use Illuminate\Http\Request;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\DB;

class UpdatesController extends Controller
{
    public function __invoke(Request $request): Collection
    {
        // Rows that are always locked in the same order cannot make two transactions wait for each other.
        $ids = collect(range(1, Item::ROWS))->random($this->wantedRows($request))->sort()->values();

        return DB::transaction(fn (): Collection => $ids
            ->map(fn (int $id): Item => Item::lockForUpdate()->findOrFail($id))
            ->each(function (Item $item): void {
                $item->quantity++;
                $item->save();
            }));
    }
}
