// SPDX-License-Identifier: Apache-2.0
/**
 * Reads a cluster's past: job histories, traces of SLS and Rumen, and the applications that a ResourceManager
 * remembers.
 */
@NullMarked
package org.heddle.whatif.read;

import org.jspecify.annotations.NullMarked;
