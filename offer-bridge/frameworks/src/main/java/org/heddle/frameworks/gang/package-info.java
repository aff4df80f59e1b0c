// SPDX-License-Identifier: Apache-2.0
/** Tasks that start together or not at all. */
@NullMarked
package org.heddle.frameworks.gang;

import org.jspecify.annotations.NullMarked;
