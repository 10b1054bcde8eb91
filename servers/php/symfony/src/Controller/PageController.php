<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Response;

final class PageController extends AbstractController
{
    public function __invoke(Connection $connection): Response
    {
        $articles = $connection->fetchAllAssociative(
            'SELECT title, author, summary FROM articles ORDER BY number'
        );

        return $this->render('page.html.twig', ['articles' => $articles]);
    }
}
