// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

/** What a container's shell does before it starts the agent, for tests of other packages. */
public final class AgentShell {
    public static final String LOCALE = AgentLaunchContext.UTF_8_LOCALE;

    private AgentShell() {}
}
