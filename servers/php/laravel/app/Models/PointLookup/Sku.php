<?php

namespace App\Models\PointLookup;

use Illuminate\Database\Eloquent\Model;

class Sku extends Model
{
    protected $connection = 'mariadb';
    protected $table = 'purch_sku_master';
    protected $primaryKey = 'sku_id';
    protected $keyType = 'string';
    public $incrementing = false;
    public $timestamps = false;
}
