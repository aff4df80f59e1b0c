// SPDX-License-Identifier: Apache-2.0
/** What the build of the distribution runs; not shipped. */
@NullMarked
package org.heddle.distribution;

import org.jspecify.annotations.NullMarked;
