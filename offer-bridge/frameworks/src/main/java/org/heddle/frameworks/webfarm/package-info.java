// SPDX-License-Identifier: Apache-2.0
/** Web servers behind haproxy, as many as the load needs. */
@NullMarked
package org.heddle.frameworks.webfarm;

import org.jspecify.annotations.NullMarked;
