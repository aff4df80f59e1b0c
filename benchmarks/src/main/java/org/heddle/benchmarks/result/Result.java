// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Scale;

/**
 * One run of an experiment: a line of its file.
 *
 * @param experiment name
 * @param scale of the run
 * @param provenance where the measurement comes from
 * @param measurement the figures
 */
public record Result(String experiment, Scale scale, Provenance provenance, Measurement measurement) {}
