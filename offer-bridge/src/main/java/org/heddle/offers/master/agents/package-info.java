// SPDX-License-Identifier: Apache-2.0
/** The agents in containers: started, connected, lost; nothing about what runs under them but passing it on. */
@NullMarked
package org.heddle.offers.master.agents;

import org.jspecify.annotations.NullMarked;
