<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;

final class FortunesController extends AbstractController
{
    public function __invoke(Request $request, Connection $connection): Response
    {
        $added = $request->query->all()['added'] ?? '';
        if (!is_string($added) || $added === '') {
            throw new BadRequestHttpException('added must be a text');
        }
        $fortunes = $connection->fetchAllAssociative('SELECT id, message FROM fortune');
        $fortunes[] = ['id' => 0, 'message' => $added];
        usort($fortunes, fn (array $a, array $b): int => strcmp($a['message'], $b['message']));

        return $this->render('fortunes.html.twig', ['fortunes' => $fortunes]);
    }
}
