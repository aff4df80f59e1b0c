// SPDX-License-Identifier: Apache-2.0
/**
 * The ResourceManager shell: events in, grants out.
 */
@NullMarked
package org.heddle.scheduler.yarn;

import org.jspecify.annotations.NullMarked;
