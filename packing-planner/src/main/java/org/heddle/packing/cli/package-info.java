// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code heddle pack} command: one class for each subcommand and for each group of options. This is the only
 * package that uses all others; it decides nothing about plans.
 */
@NullMarked
package org.heddle.packing.cli;

import org.jspecify.annotations.NullMarked;
