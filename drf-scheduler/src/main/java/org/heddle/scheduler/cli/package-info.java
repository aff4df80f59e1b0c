// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code heddle}. Nothing here runs in the ResourceManager.
 */
@NullMarked
package org.heddle.scheduler.cli;

import org.jspecify.annotations.NullMarked;
