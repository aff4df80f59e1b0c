// SPDX-License-Identifier: Apache-2.0
/**
 * Shows results: the sections of {@code docs/evaluation.md}, pictures, and a report in one HTML file. Draws from kept
 * results only.
 */
@NullMarked
package org.heddle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
