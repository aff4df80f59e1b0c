// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Runs the main method of a class and ends the process if it fails: {@code ProgramMain CLASS ARGUMENT...}. Java alone
 * would end with the last thread, and those of a cluster go on.
 */
public final class ProgramMain {
    /** The exit code if it fails: EX_SOFTWARE of sysexits.h. Some programs have 1 for a goal that is missed. */
    static final int FAILED = 70;

    private ProgramMain() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        Method main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true); // as Java's launcher, which wants no public class
        PrintStream out = System.out; // the program may set another one
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            Throwable failure = e.getTargetException();
            failure.printStackTrace(); // into the log
            out.println("failed: " + failure.toString().lines().findFirst().orElse(""));
            System.exit(FAILED);
        }
    }
}
