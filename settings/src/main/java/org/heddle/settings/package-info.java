// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration keys, kinds of values, the one syntax of durations and sizes, the layers that settings are read from,
 * and the two clocks; no key of any module is defined here, and Hadoop is not known here.
 */
@NullMarked
package org.heddle.settings;

import org.jspecify.annotations.NullMarked;
