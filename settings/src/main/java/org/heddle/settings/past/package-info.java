// SPDX-License-Identifier: Apache-2.0
/** What readers of histories and traces of several kinds have in common, with nothing but the JDK. */
@NullMarked
package org.heddle.settings.past;

import org.jspecify.annotations.NullMarked;
