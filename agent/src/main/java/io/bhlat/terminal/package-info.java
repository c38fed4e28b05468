// SPDX-License-Identifier: Apache-2.0
/**
 * What {@code bhlat hist} prints: text for people, JSON Lines for scripts. Pure formatting of an
 * {@link io.bhlat.model.Interval} and a {@link io.bhlat.trace.ProbePlan}; nothing here measures,
 * looks at the host or decides where the output goes.
 *
 * <p><b>Numbers.</b> Durations and rates print with three significant digits in a unit that fits
 * the value. Quantiles are upper bounds of the bucket that holds them and say so. JSON holds whole
 * numbers in nanoseconds, exactly as counted.
 *
 * <p><b>Width.</b> No line of a report is wider than the columns it was made for (80 at least), and
 * none ends in a blank. A table first gives up its optional columns, then its wide gaps, then the
 * middle of long names.
 *
 * <p><b>Characters.</b> Everything that is not ASCII is in {@link io.bhlat.terminal.Glyphs}, and
 * has an ASCII form for terminals that are not UTF-8.
 *
 * <p><b>Concurrency.</b> Formatters are immutable and may be shared between threads, except {@link
 * io.bhlat.terminal.Progress}, which belongs to one.
 */
@NullMarked
package io.bhlat.terminal;

import org.jspecify.annotations.NullMarked;
