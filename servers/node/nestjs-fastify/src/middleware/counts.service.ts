import { Injectable } from '@nestjs/common';

/** What this process has seen, as JSON. */
export interface Tally {
  requests: number;
  passed: number;
}

@Injectable()
export class CountsService {
  private requests = 0;
  private passed = 0;

  /** Counts a middleware that a request has passed. */
  pass(): void {
    this.passed += 1;
  }

  /** Counts a request, and tells what this process has seen, that one included. */
  receive(): Tally {
    this.requests += 1;
    return { requests: this.requests, passed: this.passed };
  }
}
