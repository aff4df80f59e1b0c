// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.regex.Pattern;

/** What a user reads about a failure: one sentence, without the names of Java's classes and without stack traces. */
public final class Sentences {
    /** Hadoop puts the class before the message, and the stack trace behind it. */
    private static final Pattern CLASS = Pattern.compile("^(?:[a-z]\\w*\\.)+\\w*(?:Exception|Error)(?:: |$)");

    private static final Pattern TRACE = Pattern.compile("\\s*\\R\\s*at [\\s\\S]*");

    private Sentences() {}

    /** What failed, with the file or host if the failure names one. */
    public static String of(Throwable failure) {
        if (failure instanceof UncheckedIOException && failure.getCause() != null) {
            return of(failure.getCause());
        }
        if (failure instanceof FileSystemException) {
            return ofFile((FileSystemException) failure);
        }
        if (failure instanceof UnknownHostException) {
            return "there is no host " + failure.getMessage();
        }
        if (failure instanceof ConnectException && failure.getMessage() == null) {
            return "the connection was refused";
        }
        if (failure instanceof SocketTimeoutException) {
            return "there was no answer in time";
        }
        String text = plain(String.valueOf(failure.getMessage()));
        boolean told = failure.getMessage() != null && !text.isEmpty();
        if (told && (failure instanceof IOException || !isDefect(failure))) {
            return text;
        }
        return "this is a defect of Heddle, " + failure.getClass().getSimpleName() + place(failure)
                + (told ? " (" + text + ")" : "") + "; please report it with the command that you gave";
    }

    /** Text of another program without the name of an exception before it and the stack trace behind it. */
    public static String plain(String text) {
        String rest = TRACE.matcher(text.strip()).replaceFirst("");
        String before;
        do {
            before = rest;
            rest = CLASS.matcher(rest).replaceFirst("");
        } while (!rest.equals(before));
        return rest.strip();
    }

    private static String ofFile(FileSystemException failure) {
        String file = failure.getFile();
        if (failure instanceof NoSuchFileException) {
            return file + " does not exist";
        }
        if (failure instanceof AccessDeniedException) {
            return file + " may not be read or written by this user";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return file + " exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return file + " is not a directory";
        }
        return failure.getReason() == null ? file + " cannot be used" : file + ": " + failure.getReason();
    }

    /** Failures that no input of a user should cause. */
    private static boolean isDefect(Throwable failure) {
        return failure instanceof NullPointerException
                || failure instanceof ClassCastException
                || failure instanceof IndexOutOfBoundsException
                || failure instanceof Error;
    }

    private static String place(Throwable failure) {
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith("org.heddle.")) {
                return " at " + element.getFileName() + ":" + element.getLineNumber();
            }
        }
        return "";
    }
}
