// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import org.heddle.benchmarks.experiment.Paper;

/**
 * An experiment of a paper that nothing measures yet.
 *
 * @param what is measured in the paper
 * @param paper whose experiment it is
 * @param figure sections, figures and tables
 * @param now what exists instead
 */
public record Planned(String what, Paper paper, String figure, String now) {}
