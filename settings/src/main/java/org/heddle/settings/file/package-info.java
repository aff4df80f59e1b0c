// SPDX-License-Identifier: Apache-2.0
/** Writing of files, with nothing but the JDK; no setting is read here. */
@NullMarked
package org.heddle.settings.file;

import org.jspecify.annotations.NullMarked;
