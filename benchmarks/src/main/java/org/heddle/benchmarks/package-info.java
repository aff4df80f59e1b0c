// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks of the hot classes. To come: the ResourceManager-level driver and its report.
 */
@NullMarked
package org.heddle.benchmarks;

import org.jspecify.annotations.NullMarked;
