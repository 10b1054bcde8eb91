<?php

namespace App\Models\Fortunes;

use Illuminate\Database\Eloquent\Model;

class Fortune extends Model
{
    protected $table = 'fortune';
    public $timestamps = false;
}
