// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

/**
 * How much heap the daemon may use once probes are attached: enough, and no more, for all of it
 * stays resident.
 */
final class DaemonHeap {

  /** Classes, the names of functions, a scrape of two CPUs: 10 MB are the least that was tried. */
  private static final long BASE_BYTES = 12L << 20;

  /** A scrape of 256 CPUs with 64 functions works in 48 MB and takes its shortest time in 128. */
  private static final long BYTES_PER_CPU = 448 << 10;

  private DaemonHeap() {}

  /**
   * The limit in MiB.
   *
   * @param cpus CPU numbers that can occur
   * @param recorderBytes what the flight recorder may hold
   */
  static int limitMiB(int cpus, long recorderBytes) {
    long bytes = BASE_BYTES + BYTES_PER_CPU * cpus + recorderBytes;
    return (int) ((bytes + (1 << 20) - 1) >> 20);
  }
}
