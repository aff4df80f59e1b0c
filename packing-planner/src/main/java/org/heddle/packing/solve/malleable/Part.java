// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

/** A mix and how long it runs, seconds. */
record Part(Mix mix, double seconds) {}
