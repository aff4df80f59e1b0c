// SPDX-License-Identifier: Apache-2.0
/**
 * How long pages and REST take to answer while the scheduler is at work.
 */
@NullMarked
package org.heddle.benchmarks.web;

import org.jspecify.annotations.NullMarked;
