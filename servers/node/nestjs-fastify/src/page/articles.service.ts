import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** What the page shows of a row of the table articles. */
export interface Article {
  title: string;
  author: string;
  summary: string;
}

@Injectable()
export class ArticlesService {
  constructor(private readonly pool: Pool) {}

  /** All articles in their order. */
  async list(): Promise<Article[]> {
    // With a name, it is prepared once a connection.
    const text = 'SELECT title, author, summary FROM articles ORDER BY number';
    const { rows } = await this.pool.query<Article>({ name: 'articles', text });
    return rows;
  }
}
